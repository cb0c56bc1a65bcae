import { describe, expect, test } from 'vitest'
import {
  envVariable,
  formatCommand,
  isWorkspaceName,
  pluginName,
  stagingId,
  virtualModuleId,
} from '../../../src/core/workspace-name.ts'

describe('a name of a workspace', () => {
  test.each(['prompts', 'billing-prompts', 'a', 'v2', 'a-1-b2', 'test', 'test-prompts', 'latest'])(
    'a workspace can be called %j',
    (name) => {
      expect(isWorkspaceName(name)).toBe(true)
    },
  )

  test.each([
    ...'Billing billing_prompts prompts/billing ../prompts virtual:prompts'.split(' '),
    ...'prompts-test a-b-test'.split(' '),
    ...'-a a- a--b 2nd größe'.split(' '),
    '',
    'a b',
    'a\n',
    undefined,
    null,
    7,
  ])('a workspace can not be named %j', (name) => {
    expect(isWorkspaceName(name)).toBe(false)
  })

  test('a workspace names its modules, its plugin, its variables and its commands', () => {
    expect(virtualModuleId('billing-prompts')).toBe('virtual:billing-prompts')
    expect(stagingId('billing-prompts')).toBe('virtual:billing-prompts/staging')
    expect(pluginName('billing-prompts')).toBe('unplugin-prompts:billing-prompts')
    expect(pluginName('prompts')).toBe('unplugin-prompts')
    expect(formatCommand('billing-prompts', 'pull')).toBe('prompts pull --name billing-prompts')
    expect(formatCommand('prompts', 'pull')).toBe('prompts pull')
    expect(envVariable('billing-prompts', 'API_KEY')).toBe('BILLING_PROMPTS_API_KEY')
  })
})
