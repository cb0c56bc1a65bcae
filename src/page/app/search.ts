import type { Entry } from './entries.ts'

/** The entries that contain a text, in the slug, folder, model, version or texts. */
export function searchEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const part = text.trim().toLowerCase()
  return entries.filter(({ prompt: { slug, folder, model, version, system, user } }) =>
    [slug, folder, model, version, system, user].some((field) =>
      field.toLowerCase().includes(part),
    ),
  )
}
