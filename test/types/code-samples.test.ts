import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type SampleKind, sampleOf, withExamples } from '../../src/page/app/code-samples.ts'
import { fixtureApp } from '../helpers/compile-fixture.ts'
import { compileStrictly } from '../helpers/compile-strictly.js'

const KINDS: readonly SampleKind[] = ['openai', 'anthropic', 'aisdk']
const PACKAGES = ['@anthropic-ai/sdk', 'ai', 'openai']

/** Prompts of the fixtures. Types refuse a value for `__proto__`. */
const PROMPTS = [
  { access: 'prompts.supportTriage', variables: ['ticket', 'tone'] },
  { access: `prompts['3d']`, variables: ['user.name'] },
  { access: 'prompts.plain', variables: [] },
]

test('the code samples of the page compile against the SDKs, also with variables that have no value', async () => {
  const app = await fixtureApp({ fixtures: [], packages: PACKAGES })
  for (const [index, { access, variables }] of PROMPTS.entries()) {
    const values = withExamples(variables, { tone: `it's "calm"` })
    for (const kind of KINDS) {
      const sample = sampleOf(kind, { module: 'virtual:prompts', access, user: '', values })
      await writeFile(join(app, `${index}-${kind}.ts`), sample)
    }
  }
  const refusals = await compileStrictly(app, {
    path: 'typescript-7',
    resolution: 'bundler',
    skipLibCheck: true,
  })
  expect(refusals).toEqual([])
})
