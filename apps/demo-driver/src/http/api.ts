import type { driverEndpoints } from '@shiplog/companions';
import type { Api } from '@shiplog/server';

/** The API of the driver. */
export type DriverApi = Api<typeof driverEndpoints>;
