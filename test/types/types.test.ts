import { describe, expect, test } from 'vitest'
import {
  COMPILERS,
  fixtureApp,
  linesMarkedWrong,
  refusedLines,
} from '../helpers/compile-fixture.ts'

const fixtures = ['app.ts']

describe.each(COMPILERS)('under $path, $resolution', (compiler) => {
  test('wrong calls do not compile, right ones and the declarations do', async () => {
    const app = await fixtureApp({ fixtures })
    expect(await refusedLines(app, compiler)).toEqual(await linesMarkedWrong(fixtures))
  })
})
