/** How often a whole sweep tries a property. */
const WHOLE = 100

/** SWEEP_RUNS: how often to try. Ordinary tests try a tenth; `npm run test:nightly` asks for more. */
const RUNS = Number(process.env['SWEEP_RUNS'] ?? WHOLE / 10)

/**
 * The seed of whatever is random in a test. It is fixed, so that a run fails or passes for everybody;
 * `npm run test:nightly` sets another one in SWEEP_SEED and prints it.
 */
const SEED: number = Number(process.env['SWEEP_SEED'] ?? 1)

/** How many runs a sweep has, for one that has `whole` runs with SWEEP_RUNS=100. */
export function sweepRuns(whole: number): number {
  return Math.ceil((whole * RUNS) / WHOLE)
}

/** The options of fast-check for each property. It prints the seed of a failure. */
export function sweep(whole: number = WHOLE): { numRuns: number; seed: number } {
  return { numRuns: sweepRuns(whole), seed: SEED }
}
