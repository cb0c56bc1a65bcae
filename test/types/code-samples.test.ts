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
  const samples = PROMPTS.flatMap(({ access, variables }, index) => {
    const values = withExamples(variables, { tone: `it's "calm"` })
    const given = { module: 'virtual:prompts', access, user: '', values }
    return KINDS.map((kind) => [`${index}-${kind}.ts`, sampleOf(kind, given)])
  })
  const app = await fixtureApp({ files: Object.fromEntries(samples), packages: PACKAGES })
  const refusals = await compileStrictly(app, {
    path: 'typescript-7',
    resolution: 'bundler',
    skipLibCheck: true,
  })
  expect(refusals).toEqual([])
})
