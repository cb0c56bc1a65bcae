/** Not `~` first, which is a home folder. */
const PLAIN = /^[\w@%+=:,./-][\w@%+=:,./~^-]*$/

/** Quotes a word for POSIX shells, where it needs that. */
export function shellWord(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
