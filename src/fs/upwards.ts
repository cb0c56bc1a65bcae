import { dirname } from 'node:path'

/** A folder, the one above it, and so on up to the root. */
export function* upwards(from: string): Generator<string> {
  for (let folder = from, last = ''; folder !== last; folder = dirname(folder)) {
    yield folder
    last = folder
  }
}
