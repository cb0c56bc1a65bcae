import { splitLines } from '../text/lines.ts'
import { findJoin, type PinnedPrompt } from '../prompt.ts'
import { escapeInvisible } from '../text/json-string.ts'

/**
 * A prompt's own fields as the lock prints them, from the slug to the join or source. Its hash is
 * over this text, so it has no held mark.
 */
export function printPrompt(prompt: PinnedPrompt): string {
  const { slug, folder, model, temperature, version, system, user, source } = prompt
  const join = findJoin(prompt)
  return printFields({
    slug,
    folder,
    model,
    temperature,
    version,
    system: splitLines(system),
    user: splitLines(user),
    ...(join === undefined ? { source: splitLines(source) } : { join }),
  })
}

/** Keys and values at the depth of an entry. JSON strings have no raw line ends to indent. */
export function printFields(fields: object): string {
  const json = escapeInvisible(JSON.stringify(fields, undefined, 2))
  return `    ${json.slice('{\n'.length, -'\n}'.length).replaceAll('\n', '\n    ')}`
}
