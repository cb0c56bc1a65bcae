import { expect, test } from 'vitest'
import { rspackPlugin } from '../../../src/plugin/rspack/rspack.ts'

test('Rspack before 1.3 is refused: nothing there says which modules import prompts', () => {
  const compiler = { options: {}, rspack: { rspackVersion: '1.2.8', experiments: {} } } as never
  expect(() => rspackPlugin().apply(compiler)).toThrow(
    expect.objectContaining({
      code: 'BUNDLER_UNSUPPORTED',
      details: { bundler: 'Rspack', version: '1.2.8', lowest: '1.3.0' },
    }),
  )
})
