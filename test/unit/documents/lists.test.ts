import manifest from '../../../package.json' with { type: 'json' }
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ts } from 'ts-morph'
import { describe, expect, test } from 'vitest'
import { commonOptions } from '../../../src/cli/project/options.ts'
import { registry } from '../../../src/cli/commands/registry.ts'
import { catalogue } from '../../../src/errors/catalogue.ts'
import { bundlers } from '../../../src/features/init/bundlers.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COMMANDS = read('src/docs/commands.md')

/** The pages for users. */
const PAGES = [
  'README.md',
  'playground/README.md',
  ...readdirSync(join(ROOT, 'src/docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `src/docs/${file.replaceAll('\\', '/')}`),
]

test('the page of setups states the lowest versions that the package does', () => {
  const lowest = Object.values(manifest.peerDependencies).map((range) => range.replace('>=', ''))
  const cells = read('src/docs/setup/README.md').split('|')
  expect(cells.map((cell) => cell.trim())).toEqual(expect.arrayContaining(lowest))
  expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(Object.keys(manifest.peerDependencies))
})

/** What the pages name in capitals besides codes: variables of the environment, and one constant. */
const NO_CODE =
  /PROMPTS_|_PROXY$|_ENV$|_TOKEN$|_BRANCH$|^(?:NEXT_PUBLIC|CLOUDFLARE|VITE)_|^NO_COLOR$|^INVISIBLE_CHARACTERS$/

describe('the page of commands', () => {
  const names = registry.map(({ name }) => name)
  const [introduction = '', ...rest] = COMMANDS.split(/^## /m)
  const sections = new Map(rest.map((text) => [/^`prompts (\S+)`\n/.exec(text)?.[1] ?? '', text]))

  test('lists every command as the help does, and describes it', () => {
    const lines = registry.map(({ name, alias, summary }) => {
      const call = alias === undefined ? `\`${name}\`` : `\`${name}\`, \`${alias}\``
      return `| ${call} | ${summary} |`
    })
    const listed = introduction
      .match(/^\| `[a-z].*$/gm)
      ?.map((row) => row.replace(/ [[<][^`]*/, ''))
    expect(listed).toEqual(lines)
    expect([...sections.keys()]).toEqual(names)
  })

  test.each(registry)('describes the options of $name, and no others', async ({ name, load }) => {
    const { options } = await load()
    const own = Object.keys(options).filter((option) => !Object.hasOwn(commonOptions, option))
    // What it prints may name another command.
    const section = flagsIn((sections.get(name) ?? '').replaceAll(/`npx prompts [^`]*`/g, ''))
    const described = new Set([...section, ...flagsIn(introduction)])
    expect(own.filter((option) => !described.has(option))).toEqual([])
    expect(section.filter((flag) => !Object.hasOwn(options, flag))).toEqual([])
  })

  test('describes the common options', () => {
    expect(flagsIn(introduction)).toEqual(
      expect.arrayContaining(Object.keys(commonOptions).filter((name) => name !== 'version')),
    )
  })
})

test('the page of options lists every option, and no others', () => {
  const listed = firstCells(read('src/docs/options.md')).flatMap((cell) => cell.split(', '))
  expect(listed.toSorted()).toEqual(
    membersOf('src/config/options.ts', ['Options', 'PluginOptions']).toSorted(),
  )
})

describe('the entry points in package.json', () => {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> }
  const entries = Object.keys(exports)
    .filter((entry) => !['.', './package.json'].includes(entry) && !entry.includes('*'))
    .map((entry) => entry.slice(2))

  test('are the files of src', () => {
    const files = readdirSync(join(ROOT, 'src'))
      .filter((file) => file.endsWith('.ts') && !['index.ts', 'cli.ts'].includes(file))
      .map((file) => basename(file, '.ts'))
    expect(entries.toSorted()).toEqual([...files, 'runtime'].toSorted())
  })

  test('are those that the pages name', () => {
    const named = PAGES.map(read).flatMap((page) =>
      [...page.matchAll(/(?<![\w@/.-])unplugin-prompts\/([a-z-]+)/g)].map(([, name = '']) => name),
    )
    expect([...new Set(named)].toSorted()).toEqual(entries.toSorted())
  })

  test.each(bundlers)('have a setup for $title', ({ specifier, title }) => {
    expect(entries.map((name) => `unplugin-prompts/${name}`)).toContain(specifier)
    expect(read('src/docs/setup/README.md')).toContain(title)
  })
})

describe.each(PAGES)('%s', (path) => {
  const page = read(path)

  test('names only codes of errors that exist', () => {
    const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in catalogue) && !NO_CODE.test(name))).toEqual([])
  })

  test('calls only commands and options that exist', async () => {
    const calls = page.matchAll(/(?:npx|\$) prompts ([a-z]+)([^`\n#|]*)/g)
    const unknown = Array.from(calls, async ([call, name = '', rest = '']) => {
      const command = registry.find((one) => name === one.name || name === one.alias)
      const options = (await command?.load())?.options
      const known = flagsIn(rest).every((flag) => options !== undefined && flag in options)
      return command !== undefined && known ? [] : [call]
    })
    expect((await Promise.all(unknown)).flat()).toEqual([])
  })
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The code in the first cell of each row of the tables of a page, without its marks. */
function firstCells(page: string): string[] {
  return [...page.matchAll(/^\| (`[^|]*`) *\|/gm)].map(([, cell = '']) => cell.replaceAll('`', ''))
}

function flagsIn(text: string): string[] {
  return [
    ...new Set([...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, name = '']) => name)),
  ]
}

/** The names of the properties that interfaces of a file have. */
function membersOf(path: string, interfaces: readonly string[]): string[] {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest)
  return source.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => interfaces.includes(name.text))
    .flatMap(({ members }) => members.map(({ name }) => name?.getText(source) ?? ''))
}
