/** How often the ordinary tests try a property. */
const ORDINARY = 100

/** SWEEP_RUNS: how often to try instead; `npm run test:nightly` asks for more. */
const RUNS = Number(process.env['SWEEP_RUNS'] ?? ORDINARY)

/**
 * The seed of whatever is random in a test. It is fixed, so that a run fails or passes for everybody;
 * `npm run test:nightly` sets another one in SWEEP_SEED and prints it.
 */
export const SEED: number = Number(process.env['SWEEP_SEED'] ?? 1)

/** How many runs a sweep has, for one that has `ordinary` runs in the ordinary tests. */
export function sweepRuns(ordinary: number): number {
  return Math.ceil((ordinary * RUNS) / ORDINARY)
}

/** The options of fast-check for each property. It prints the seed of a failure. */
export function sweep(ordinary: number = ORDINARY): { numRuns: number; seed: number } {
  return { numRuns: sweepRuns(ordinary), seed: SEED }
}
