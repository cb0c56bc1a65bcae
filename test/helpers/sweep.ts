/** How often the ordinary tests try a property. */
const ORDINARY = 500

/** SWEEP_RUNS: how often to try instead; `npm run test:nightly` asks for more. */
const RUNS = Number(process.env['SWEEP_RUNS'] ?? ORDINARY)

/** The seed of whatever is random in a test, from SWEEP_SEED; another one each time by default. */
export const SEED: number = Number(process.env['SWEEP_SEED'] ?? Date.now() % 2 ** 31)

/** How many runs a sweep has, for one that has `ordinary` runs in the ordinary tests. */
export function sweepRuns(ordinary: number): number {
  return Math.ceil((ordinary * RUNS) / ORDINARY)
}

/** What fast-check is given with each property; it tells the seed of a failure. */
export function sweep(ordinary: number = ORDINARY): { numRuns: number; seed: number } {
  return { numRuns: sweepRuns(ordinary), seed: SEED }
}
