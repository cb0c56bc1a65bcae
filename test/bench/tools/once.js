/** Runs in the first round only: for what takes minutes, and where the ratio is far from any limit. */
export function firstRoundOnly(run) {
  let first
  return () => (first ??= run())
}
