import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeDocs, writeSkill } from '../../../src/build/package-files.ts'
import { loadCommand } from '../../../src/cli/commands/registry.ts'
import { catalogue } from '../../../src/errors/catalogue.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const LIST = ['ls-files', '--cached', '--others', '--exclude-standard', '--']
const FILES = execFileSync('git', [...LIST, '*.md', '.github/*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
const PAGES = FILES.trim().split('\n')
const LINK = /(?:\]\(|(?:src|srcset|href)=")(?<target>[^()\s"]+)[)"]/g

/** The pages for users. */
const FOR_USERS = PAGES.filter((path) => /^(?:playground\/)?README\.md$|^src\/docs\//.test(path))

/** What the pages name in capitals besides codes: variables of the environment, and one constant. */
const NO_CODE =
  /PROMPTS_|_PROXY$|_ENV$|_TOKEN$|_BRANCH$|^(?:NEXT_PUBLIC|CLOUDFLARE|VITE)_|^NO_COLOR$|^INVISIBLE_CHARACTERS$/

test.each(PAGES)('%s has no broken links', (page) => {
  const text = withoutCode(readFileSync(join(ROOT, page), 'utf8'))
  const targets = [...text.matchAll(LINK)].map(({ groups }) => groups?.['target'] ?? '')
  const local = [...new Set(targets.filter((target) => !/^[a-z]+:/.test(target)))]
  expect(local.filter((target) => !resolves(page, target))).toEqual([])
})

describe.each(FOR_USERS)('%s', (path) => {
  const page = readFileSync(join(ROOT, path), 'utf8')

  test('the page names only codes of errors that exist', () => {
    const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in catalogue) && !NO_CODE.test(name))).toEqual([])
  })

  test('the page calls only commands and options that exist', async () => {
    const calls = page.matchAll(/(?:npx|\$) prompts ([a-z]+)([^`\n#|]*)/g)
    const unknown = Array.from(calls, async ([call, name = '', rest = '']) => {
      const command = await loadCommand(name).catch(() => undefined)
      const flags = rest.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)
      const known = [...flags].every(([, flag = '']) => command && flag in command.options)
      return command !== undefined && known ? [] : [call]
    })
    expect((await Promise.all(unknown)).flat()).toEqual([])
  })
})

const DOCS = join(ROOT, 'src/docs')
const PAGE_LINK = /\]\((?<path>[^()#\s:]+)(?=[#)])/g

test('the documents of the package link only to each other', async () => {
  const folder = await temporaryFolder()
  await writeDocs(DOCS, folder)
  const files = await readdir(folder, { recursive: true })
  const pages = files.map((file) => file.replaceAll('\\', '/'))
  expect(pages).toEqual(expect.arrayContaining(['SKILL.md', 'json.schema.json', 'setup/vite.md']))
  for (const page of pages.filter((file) => file.endsWith('.md'))) {
    const links = (await readFile(join(folder, page), 'utf8')).matchAll(PAGE_LINK)
    for (const { groups } of links) {
      expect(pages).toContain(posix.join(posix.dirname(page), groups?.['path'] ?? ''))
    }
  }
})

test('the skill of the package links to the pages beside it', async () => {
  const folder = await temporaryFolder()
  await writeDocs(DOCS, join(folder, 'dist/docs'))
  const skill = join(folder, 'skills/unplugin-prompts')
  await writeSkill(DOCS, skill)
  const text = await readFile(join(skill, 'SKILL.md'), 'utf8')
  const links = Array.from(text.matchAll(PAGE_LINK), ({ groups }) => groups?.['path'] ?? '')
  expect(text).toMatch(/^---\nname: unplugin-prompts\n/)
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((path) => !existsSync(join(skill, path)))).toEqual([])
})

function resolves(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
  if (!existsSync(file)) return false
  return anchor === undefined || (statSync(file).isFile() && anchorsOf(file).has(anchor))
}

/** The anchors of the headings of a page on GitHub. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (?<title>.+)$/gm)
  return new Set([...headings].map(({ groups }) => anchorOf(groups?.['title'] ?? '')))
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(?<fence>`{3,}).*?^\k<fence>$/gms, '')
}
