/** Version of the product and its packages. */
export const productVersion = '0.1.0';

/** Version of the machine-readable contract (§9). */
export const contractVersion = '1.0.0';
