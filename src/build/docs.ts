import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** The documents that the package contains, by their path in the repository. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['src/plugin/README.md', 'bundlers.md'],
  ['src/cli/README.md', 'commands.md'],
  ['src/config/README.md', 'options.md'],
  ['src/errors/README.md', 'errors.md'],
  ['src/core/lock/README.md', 'lock.md'],
  ['src/features/README.md', 'workflow.md'],
  ['src/register/README.md', 'node.md'],
  ['src/page/README.md', 'page.md'],
  ['.github/SECURITY.md', 'security.md'],
  ['src/cli/SKILL.md', 'SKILL.md'],
])

/** Copied as they are. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['src/cli/json.schema.json', 'json.schema.json'],
])

const LINK = /!?\[(?<text>[^\]]*)\]\((?<path>[^()#\s:]+)(?<anchor>#[^()\s]*)?\)/g

/** Writes the documents of the installed version into a folder, with links between them. */
export async function writeDocs(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [source, name] of PAGES) {
    const text = await readFile(join(root, source), 'utf8')
    await writeFile(join(folder, name), packagedLinks(text, source))
  }
  for (const [source, name] of FILES) await copyFile(join(root, source), join(folder, name))
}

/** Points links at the packaged pages. Links to what is not in the package become text. */
function packagedLinks(text: string, source: string): string {
  return text.replaceAll(LINK, (_link, label: string, path: string, anchor = '') => {
    const target = relative('.', join(dirname(source), path)).replaceAll('\\', '/')
    const name = PAGES.get(target) ?? FILES.get(target)
    return name === undefined ? label : `[${label}](${name}${anchor})`
  })
}
