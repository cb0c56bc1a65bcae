import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeDocs, writeSkill } from '../../../src/build/package-files.ts'
import { loadCommand } from '../../../src/cli/commands/registry.ts'
import { catalogue } from '../../../src/errors/catalogue.ts'
import { toForwardSlashes } from '../../../src/fs/paths.ts'
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
  /PROMPTS_|_PROXY$|_ENV$|_TOKEN$|_BRANCH$|^(?:NEXT_PUBLIC|CLOUDFLARE|VITE|LANGFUSE|PHOENIX|POSTHOG|PROMPTLAYER)_|^NO_COLOR$|^INVISIBLE_CHARACTERS$/

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

test('README names both commands of a clone in one block before Update, and CI runs the second one', () => {
  const [text = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n## Update\n')
  const blocks = [...text.matchAll(/^```sh\n(?<code>.*?)^```$/gms)]
  const commands = blocks.map(({ groups }) => commandsOf(groups?.['code'] ?? ''))
  const script = commandsOf(readFileSync(join(ROOT, '.ci/run'), 'utf8'))
  const run = script.filter((line) => line.startsWith('npm '))
  expect(run).toHaveLength(1)
  expect(commands).toContainEqual(['npm ci && npm start', ...run])
})

test('the parts of CI run each folder of tests once', () => {
  const workflow = parse(readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8')) as {
    jobs: { test: { strategy: { matrix: { include: { run: string }[] } } } }
  }
  const named = workflow.jobs.test.strategy.matrix.include.flatMap(({ run }) => {
    const [, names = ''] = run.split('npm run test:run -- ')
    return names.trim().split(' ')
  })
  const folders = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith('nightly'))
    .map((path) => toForwardSlashes(path).split('/', 1).join())
  expect(named.map((name) => name.replace(/^--project=|\/$/, '')).toSorted()).toEqual(
    [...new Set(folders)].toSorted(),
  )
})

/** The lines of a script, without comments. */
function commandsOf(script: string): string[] {
  const lines = script.split('\n').map((line) => line.replace(/(?:^|\s+)#.*/, ''))
  return lines.filter((line) => line !== '')
}

const DOCS = join(ROOT, 'src/docs')
const PAGE_LINK = /\]\((?<path>[^()#\s:]+)(?=[#)])/g

test('the documents and the skill of the package link only to the pages beside them', async () => {
  const folder = await temporaryFolder()
  const skill = join(folder, 'skills/unplugin-prompts')
  await writeDocs(DOCS, join(folder, 'dist/docs'))
  await writeSkill(DOCS, skill)
  const files = await readdir(folder, { recursive: true })
  const wanted = ['SKILL.md', 'json.schema.json', 'setup/vite.md'].map(
    (name) => `dist/docs/${name}`,
  )
  expect(files.map((file) => toForwardSlashes(file))).toEqual(expect.arrayContaining(wanted))
  const pages = files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file))
  const broken = pages.flatMap((page) => {
    const links = Array.from(readFileSync(page, 'utf8').matchAll(PAGE_LINK))
    const targets = links.map(({ groups }) => join(dirname(page), groups?.['path'] ?? ''))
    return targets.filter((target) => !existsSync(target))
  })
  expect(broken).toEqual([])
  const text = await readFile(join(skill, 'SKILL.md'), 'utf8')
  expect(text).toMatch(/^---\nname: unplugin-prompts\n/)
  expect(text.match(PAGE_LINK)?.length).toBeGreaterThan(5)
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
