/** What text says of code, without a parser. */

const LETTER = '[\\p{ID_Continue}$\\u200c\\u200d\\\\]'

/** A member after a name: `.member`, `['member']`. */
const MEMBER = `(?:\\s*\\??\\.\\s*(${LETTER}+)|\\s*\\[\\s*(?:"([^"\\\\\\n]+)"|'([^'\\\\\\n]+)')\\s*\\])?`

/** A name in text. */
interface Mention {
  readonly name: string
  readonly index: number
  /** The member of it that is read; `undefined` for any other use. */
  readonly member: string | undefined
}

/**
 * Finds names in text, but none that is a member itself.
 *
 * @param pattern - of names. Default: any name
 */
export function mentionsIn(text: string, pattern: string = `(?!\\d)${LETTER}+`): Mention[] {
  const use = new RegExp(`(?<!${LETTER}|(?<!\\.\\.)\\.)(${pattern})(?!${LETTER})${MEMBER}`, 'gu')
  return [...text.matchAll(use)].map(({ 1: name = '', index, ...groups }) => {
    const member = [groups[2], groups[3], groups[4]].find((one) => one !== undefined)
    return { name, index, member: member?.includes('\\') === true ? undefined : member }
  })
}
