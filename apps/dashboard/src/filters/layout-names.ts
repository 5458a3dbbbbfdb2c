/** The layouts of the board by their names in an address. */
export const layoutNames = { grid: 'Grid', progress: 'Progress', wall: 'Wall' } as const;
