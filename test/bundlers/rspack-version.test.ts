import { rspack } from '@rspack/core'
import { expect, test } from 'vitest'
import prompts from '../../src/rspack.ts'

test('Rspack before 1.3 is refused: nothing there says which modules import prompts', () => {
  const older = { apply: (compiler: object) => Object.assign(compiler, { rspack: OLDER }) }
  expect(() => rspack({ plugins: [older, prompts()] })).toThrow(
    expect.objectContaining({
      code: 'BUNDLER_UNSUPPORTED',
      details: { bundler: 'Rspack', version: '1.2.8', lowest: '1.3.0' },
    }),
  )
})

const OLDER = { ...rspack, rspackVersion: '1.2.8' }
