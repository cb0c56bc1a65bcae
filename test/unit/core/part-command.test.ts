import { expect, test } from 'vitest'
import { partCommand } from '../../../src/core/part-command.ts'

test.each([
  ['prompts', 'live', ['a', 'b'], 'npx prompts hold a b --reason r'],
  ['prompts', 'test', ['a'], 'npx prompts hold a --reason r --environment test'],
  ['billing', 'test', ['a'], 'npx prompts hold a --reason r --environment test --name billing'],
  [
    'prompts',
    'live',
    ["it's $HOME", 'a\u001b[2Jb'],
    String.raw`npx prompts hold 'it'\''s $HOME' ab --reason r`,
  ],
  [
    'billing',
    'test',
    ['a', '-rf'],
    'npx prompts hold --reason r --environment test --name billing -- a -rf',
  ],
] as const)(
  'a command for parts can be run as it is printed: %s, %s, %j',
  (workspace, environment, slugs, want) => {
    const parts = slugs.map((slug) => ({ slug, environment }))
    expect(partCommand(workspace, 'hold', parts, '--reason r')).toBe(want)
  },
)
