/** The middle value; between two of them, their mean. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1] + upper) / 2
}

/**
 * The median of the ratios of each round: what disturbs the machine for a while disturbs both
 * sides of a round.
 */
export function ratioOf(samples, against) {
  return median(samples.map((sample, round) => sample / against[round]))
}

/**
 * Runs contestants in turn, A B C A B C, so that a disturbance hits all of them.
 *
 * @param contestants - by name; each returns its sample, or several by name
 * @returns the samples of each, in the order of the rounds
 */
export async function inTurn(rounds, contestants) {
  const samples = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) samples[name].push(await run(round))
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  return samples
}

/** The samples of one field. */
export function field(samples, name) {
  return samples.map((sample) => sample[name])
}
