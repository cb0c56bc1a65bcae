/** How long a test waits for what happens soon: longer than it takes on any busy machine. */
export const SOON = { timeout: 40_000, interval: 20 }
