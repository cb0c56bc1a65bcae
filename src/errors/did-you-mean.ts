import { distance } from 'fastest-levenshtein'

/** ` Did you mean --dry-run?`, or nothing if more than a third of the letters differ. */
export function didYouMean(word: string, names: readonly string[]): string {
  const [nearest] = names
    .map((name) => ({ name, far: distanceOf(word, name) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.max(name.length, word.length) / 3))
    .toSorted((a, b) => a.far - b.far)
  return nearest === undefined ? '' : ` Did you mean ${nearest.name}?`
}

/** As {@link didYouMean}, for the specifier of a module of prompts. Their common beginning does not count. */
export function suggestModule(id: string, entry: string): string {
  const [scheme = '', rest = ''] = /^\0?virtual:([^?]*)/.exec(id) ?? []
  if (scheme === '') return ''
  const modules = ['', '/all', '/staging', '/staging/all'].map((path) => entry + path)
  const names = modules.map((module) => module.replace('virtual:', ''))
  return didYouMean(rest, names).replace('mean ', 'mean virtual:')
}

/** A prefix of the name counts as similar: `gen` for `generate`. */
function distanceOf(word: string, name: string): number {
  return word.length >= 3 && name.startsWith(word)
    ? 1
    : distance(word.toLowerCase(), name.toLowerCase())
}
