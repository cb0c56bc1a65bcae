import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { rollup } from 'rollup'
import { describe, expect, test } from 'vitest'
import webpack from 'webpack'
import { join } from 'node:path'
import { readFile, writeFile } from 'node:fs/promises'
import { integrityOf } from '../../../src/core/lock/integrity.ts'
import { findPrompts } from '../../../src/codegen/find-prompts.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { printDefinitions } from '../../../src/codegen/print-module.ts'
import { createManifest } from '../../../src/codegen/print-manifest.ts'
import { sha256 } from '../../../src/fs/digest.ts'
import runtime from '../../../src/runtime/index.ts?text'
import { HOSTILE } from '../../helpers/hostile.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const lock = liveLock(
  ...HOSTILE.map((text, index) => ({ slug: `p${index} ${text}`, system: text, version: text })),
)

/** What a build that uses every other prompt emits, by bundler, minified. */
const bundlers = {
  async esbuild(entry: string) {
    const options = { bundle: true, minify: true, write: false, format: 'esm' } as const
    const { outputFiles } = await esbuild({ entryPoints: [entry], ...options })
    return outputFiles[0]?.text
  },
  async Rolldown(entry: string) {
    const { output } = await (await rolldown({ input: entry })).generate({ minify: true })
    return output[0].code
  },
  async Rollup(entry: string) {
    return (await (await rollup({ input: entry })).generate({})).output[0].code
  },
  async webpack(entry: string) {
    const output = { path: join(entry, '../out'), filename: 'out.js' }
    const compiler = webpack({ entry, mode: 'production', devtool: false, output })
    await new Promise<void>((done, fail) =>
      compiler?.run((error) => (error ? fail(error) : done())),
    )
    return readFile(join(output.path, 'out.js'), 'utf8')
  },
}

describe('prompts in emitted code', () => {
  test.each(Object.entries(bundlers))(
    'are those that are used, whatever their text, in the output of %s',
    async (_, bundle) => {
      const used = lock.prompts.filter((_prompt, index) => index % 2 === 0)
      const code = (await bundle(await writeApp((index) => index % 2 === 0))) ?? ''
      expect(findPrompts(code, lock.prompts).map(({ slug }) => slug)).toEqual(
        used.map(({ slug }) => slug),
      )
    },
  )

  test.each(Object.entries(bundlers))(
    'are found where there is one, which %s may put into its place',
    async (_, bundle) => {
      const code = (await bundle(await writeApp((index) => index === 0))) ?? ''
      expect(findPrompts(code, lock.prompts)).toEqual(lock.prompts.slice(0, 1))
    },
  )
})

describe('the manifest', () => {
  test('names each prompt by chunk, with version and hash', () => {
    const [first, second] = liveLock({ slug: 'a' }, { slug: 'b', version: 'v9' }).prompts
    if (first === undefined || second === undefined) throw new Error('no prompts')
    const pair = { environment: 'live' as const, prompts: [first, second] }
    const code = (slug: string, version: string): string =>
      `x(${JSON.stringify(slug)},"support","gpt-5",.2,\`${version}\`,'live',(t,f)=>f(""))`
    const chunks = [
      { file: 'z.js', code: code('b', 'v9') },
      { file: 'a.js', code: `${code('a', 'v22')};${code('b', 'v9')};${code('c', 'v1')}` },
      { file: 'other.js', code: 'console.log(1)' },
    ]
    const entry = (prompt: typeof first): object => ({
      slug: prompt.slug,
      version: prompt.version,
      integrity: integrityOf(prompt, sha256),
    })
    expect(createManifest(chunks, pair, sha256)).toEqual({
      manifestVersion: 1,
      environment: 'live',
      lock: expect.stringMatching(/^sha256-/),
      chunks: [
        { file: 'a.js', prompts: [entry(first), entry(second)] },
        { file: 'z.js', prompts: [entry(second)] },
      ],
    })
  })
})

async function writeApp(uses: (index: number) => boolean): Promise<string> {
  const root = await temporaryFolder()
  const plan = planModule(lock)
  const ids = { all: './all.mjs', definitions: () => './definitions.mjs', runtime: './runtime.mjs' }
  await writeFile(join(root, 'runtime.mjs'), runtime)
  await writeFile(join(root, 'definitions.mjs'), printDefinitions(plan, ids))
  const names = lock.prompts.flatMap((_, index) => (uses(index) ? [`p${index}`] : []))
  const main = `import { ${names.join(', ')} } from './definitions.mjs'
globalThis.used = [${names.map((name) => `${name}.render({}).text`).join(', ')}]\n`
  await writeFile(join(root, 'main.mjs'), main)
  return join(root, 'main.mjs')
}
