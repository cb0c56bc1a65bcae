import { describe, expect, test } from 'vitest'
import { fixtureApp, refusedLines } from '../helpers/compile-fixture.ts'
import { COMPILERS, linesMarkedWrong } from '../helpers/compile-strictly.js'

const fixtures = ['app.ts']

describe.each(COMPILERS)('under $path, $resolution', (compiler) => {
  test('wrong calls do not compile, right ones and the declarations do', async () => {
    const app = await fixtureApp({ fixtures })
    expect(await refusedLines(app, compiler)).toEqual(await linesMarkedWrong(app, fixtures))
  })
})
