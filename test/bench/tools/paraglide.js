import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The command line of Paraglide. */
export const PARAGLIDE = fileURLToPath(
  new URL('../bin/run.js', import.meta.resolve('@inlang/paraglide-js')),
)

/**
 * A plugin of inlang that reads messages from one file, in place of the usual one, which is
 * fetched from the network.
 */
const PLUGIN = `
export default {
  key: 'plugin.bench.messages',
  toBeImportedFiles: ({ settings }) => settings.locales.map((locale) => ({
    locale, path: './messages/' + locale + '.json',
  })),
  importFiles: ({ files }) => {
    const bundles = [], messages = [], variants = []
    for (const { locale, content } of files) {
      for (const [bundleId, texts] of Object.entries(JSON.parse(new TextDecoder().decode(content)))) {
        bundles.push({ id: bundleId, declarations: texts.inputs.map((name) => ({ type: 'input-variable', name })) })
        messages.push({ bundleId, locale, selectors: [] })
        variants.push({ messageBundleId: bundleId, messageLocale: locale, matches: [], pattern: texts.pattern })
      }
    }
    return { bundles, messages, variants }
  },
}
`

/**
 * Writes prompts as a project of Paraglide, in one locale: a message for each text.
 *
 * @param whole - one message for a prompt, and not one for its system and one for its user text
 */
export async function writeParaglideProject(folder, prompts, { whole }) {
  await mkdir(join(folder, 'project.inlang'), { recursive: true })
  await mkdir(join(folder, 'messages'), { recursive: true })
  const plugin = `data:text/javascript;base64,${Buffer.from(PLUGIN).toString('base64')}`
  const settings = { baseLocale: 'en', locales: ['en'], modules: [plugin] }
  await writeFile(join(folder, 'project.inlang/settings.json'), JSON.stringify(settings))
  const entries = prompts.flatMap((prompt) =>
    whole
      ? [[messageName(prompt.slug), messageOf(prompt.source)]]
      : [
          [`${messageName(prompt.slug)}_system`, messageOf(prompt.system)],
          [`${messageName(prompt.slug)}_user`, messageOf(prompt.user)],
        ],
  )
  await writeFile(join(folder, 'messages/en.json'), JSON.stringify(Object.fromEntries(entries)))
}

/** The function of a prompt's message. */
export function messageName(slug) {
  return slug.replaceAll('-', '_')
}

function messageOf(text) {
  const parts = text.split(/\{\{\s*(\w+)\s*\}\}/)
  const pattern = parts.map((part, index) =>
    index % 2 === 0
      ? { type: 'text', value: part }
      : { type: 'expression', arg: { type: 'variable-reference', name: part } },
  )
  return { inputs: [...new Set(parts.filter((_, index) => index % 2 === 1))], pattern }
}
