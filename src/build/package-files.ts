import { readdir, readFile, writeFile, cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The packages whose code is in `dist`. The build fails if another one would be bundled. */
export const BUNDLED: readonly string[] = [
  'fast-string-truncated-width',
  'fast-string-width',
  'fast-wrap-ansi',
  'fastest-levenshtein',
  'get-tsconfig',
  'launch-editor',
  'package-manager-detector',
  'picocolors',
  'preact',
  'preact-render-to-string',
  'resolve-pkg-maps',
  'shell-quote',
  'valibot',
]

export async function writeNotices(root: string, path: string): Promise<void> {
  const sections = await Promise.all(BUNDLED.map((name) => notice(root, name)))
  await writeFile(path, `# Bundled packages\n\n${sections.join('\n')}`)
}

async function notice(root: string, name: string): Promise<string> {
  const folder = join(root, 'node_modules', name)
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no licence file.`)
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim()
  return `## ${name}\n\n\`\`\`text\n${text}\n\`\`\`\n`
}

const PICTURE = /^!\[.*\n\n/gm

/** Copies the users' pages into the package, without their pictures, which it does not contain. */
export async function writeDocs(source: string, folder: string): Promise<void> {
  await cp(source, folder, { recursive: true })
  for (const page of await readdir(folder, { recursive: true })) {
    if (!page.endsWith('.md')) continue
    const text = await readFile(join(folder, page), 'utf8')
    await writeFile(join(folder, page), text.replaceAll(PICTURE, ''))
  }
}

/**
 * Writes the skill to `skills/<name>/SKILL.md` of the package, where pnpm, skills-npm and TanStack Intent
 * look for one. Its links lead to the pages in `dist`.
 */
export async function writeSkill(docs: string, folder: string): Promise<void> {
  const text = await readFile(join(docs, 'SKILL.md'), 'utf8')
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'SKILL.md'),
    text.replaceAll(/\]\((?!https:)/g, '](../../dist/docs/'),
  )
}
