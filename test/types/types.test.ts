import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Lock, PinnedPrompt } from '../../src/core/prompt.ts'
import { planModule } from '../../src/emit/plan-module.ts'
import { printDeclarations } from '../../src/emit/print-declarations.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const APP = join(import.meta.dirname, 'app.ts')

const lock: Lock = {
  environment: 'live',
  prompts: [
    pinned('3d', 'Hello {{ user.name }}'),
    pinned('plain', 'Hello'),
    pinned('support-triage', 'Sort {{ ticket }} in a {{ tone }} tone'),
  ],
}

const app = mkdtempSync(join(tmpdir(), 'prompts-types-'))

beforeAll(() => {
  mkdirSync(join(app, 'node_modules'))
  symlinkSync(REPOSITORY, join(app, 'node_modules/unplugin-prompts'))
  copyFileSync(APP, join(app, 'app.ts'))
  writeFileSync(
    join(app, 'prompts.d.ts'),
    printDeclarations(planModule(lock), '// made by a test\n'),
  )
})

afterAll(() => rmSync(app, { recursive: true }))

const compilers = [
  { name: 'TypeScript 6', path: 'typescript' },
  { name: 'TypeScript 7', path: 'typescript-7' },
]

const resolutions = ['bundler', 'nodenext']

describe.each(compilers)('under $name', ({ path }) => {
  test.each(resolutions)('wrong calls do not compile and right ones do (%s)', (resolution) => {
    expect(wrongLines(path, resolution)).toEqual(linesMarkedWrong())
  })
})

/** The numbers of the lines of `app.ts` that a compiler refuses. */
function wrongLines(compiler: string, moduleResolution: string): number[] {
  writeFileSync(join(app, 'tsconfig.json'), tsconfig(moduleResolution))
  const tsc = join(REPOSITORY, 'node_modules', compiler, 'bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '--project', app, '--pretty', 'false'], {
    cwd: app,
    encoding: 'utf8',
  })
  const found = stdout.matchAll(/^(\S+?)\((\d+),\d+\): error TS\d+/gm)
  const lines = [...found].map(([, file, line]) => {
    if (file !== 'app.ts') throw new Error(stdout)
    return Number(line)
  })
  return [...new Set(lines)].toSorted((a, b) => a - b)
}

function linesMarkedWrong(): number[] {
  const lines = readFileSync(APP, 'utf8').split('\n')
  return lines.flatMap((line, index) => (line.endsWith('// error') ? [index + 1] : []))
}

function tsconfig(moduleResolution: string): string {
  const compilerOptions = {
    target: 'es2023',
    module: moduleResolution === 'bundler' ? 'preserve' : 'nodenext',
    moduleResolution,
    strict: true,
    noEmit: true,
    types: [],
    verbatimModuleSyntax: moduleResolution === 'bundler',
  }
  return JSON.stringify({ compilerOptions, include: ['*.ts'] })
}

function pinned(slug: string, system: string): PinnedPrompt {
  const rest = { folder: 'support', model: 'm', temperature: 0, user: '' }
  return { slug, ...rest, version: 'v22', system, source: system }
}
