import { describe, expect, test } from 'vitest'
import { isWorkspaceName, virtualModuleId, envVariable } from '../../../src/core/workspace-name.ts'

describe('a name of a workspace', () => {
  test.each(['prompts', 'billing-prompts', 'a', 'v2', 'a-1-b2'])('can be %j', (name) => {
    expect(isWorkspaceName(name)).toBe(true)
  })

  test.each([
    '',
    'Billing',
    'billing_prompts',
    'prompts/billing',
    '../prompts',
    'virtual:prompts',
    '-a',
    'a-',
    'a--b',
    '2nd',
    'größe',
    'a b',
    'a\n',
    undefined,
    null,
    7,
  ])('can not be %j', (name) => {
    expect(isWorkspaceName(name)).toBe(false)
  })

  test('is what its module and its variables are called by', () => {
    expect(virtualModuleId('billing-prompts')).toBe('virtual:billing-prompts')
    expect(envVariable('billing-prompts', 'API_KEY')).toBe('BILLING_PROMPTS_API_KEY')
  })
})
