import { expect, test } from 'vitest'
import { generatedHeader, headerEnvironment } from '../../../src/codegen/declarations-header.ts'

test.each(['live', 'test'] as const)(
  'the header of %s declarations has their environment',
  (environment) => {
    const header = generatedHeader({ command: 'pull', environment })
    expect(headerEnvironment(`${header}export {}\n`)).toBe(environment)
    expect(headerEnvironment(`/* eslint-disable */\n\n${header}`.replaceAll('\n', '\r\n'))).toBe(
      environment,
    )
  },
)

test('a comment after the first code is not in the header', () => {
  const header = generatedHeader({ command: 'pull', environment: 'live' })
  expect(headerEnvironment(`${header}export {}\n// Environment: test\n`)).toBe('live')
})
