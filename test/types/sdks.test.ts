import { describe, expect, test } from 'vitest'
import { fixtureApp, refusedLines } from '../helpers/compile-fixture.ts'
import { EACH_COMPILER, linesMarkedWrong } from '../helpers/compile-strictly.js'

const fixtures = ['ai-sdk-6.ts', 'anthropic.ts', 'langchain.ts', 'openai.ts']
const packages = ['@anthropic-ai/sdk', '@langchain/core', 'ai', 'openai']

/**
 * The declarations of `ai`, `@langchain/core` and its `langsmith` do not compile themselves with
 * `exactOptionalPropertyTypes`, so those of packages are not checked here; ours are in types.test.ts.
 */
const skipLibCheck = true

describe.each(EACH_COMPILER)('under $path, $resolution', (compiler) => {
  test('the SDKs accept the output of prompts and adapters', async () => {
    const app = await fixtureApp({ fixtures, packages })
    const refused = await refusedLines(app, { ...compiler, skipLibCheck })
    expect(refused).toEqual(await linesMarkedWrong(app, fixtures))
  })
})
