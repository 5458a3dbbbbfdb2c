import type { driverEndpoints } from '@shiplog/companions';
import type { Api } from '@shiplog/server';

/** What the driver serves, endpoint by endpoint. */
export type DriverApi = Api<typeof driverEndpoints>;
