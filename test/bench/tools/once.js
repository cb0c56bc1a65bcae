/** Runs in the first round only: for rows that take minutes and are far from their limit. */
export function firstRoundOnly(run) {
  let first
  return () => (first ??= run())
}
