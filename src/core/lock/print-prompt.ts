import { splitLines } from '../text/lines.ts'
import { findJoin, type PinnedPrompt } from '../prompt.ts'
import { escapeInvisible } from '../text/json-string.ts'

/**
 * Prints a prompt's own fields for a lock, from the slug to the join or source. The hash is over this
 * text, so it contains no hold.
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

/** Prints keys and values with the indentation of an entry, which is in an array of an object. */
export function printFields(fields: object): string {
  const json = escapeInvisible(JSON.stringify([[fields]], undefined, 2))
  return json.slice('[\n  [\n    {\n'.length, -'\n    }\n  ]\n]'.length)
}
