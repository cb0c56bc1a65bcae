/** How long `vi.waitFor` waits for what happens soon: longer than it takes on any busy machine. */
export const SOON = { timeout: 30_000, interval: 20 }
