import { execFileSync } from 'node:child_process'
import { assert as hold, property } from 'fast-check'
import { expect, test } from 'vitest'
import { commandOf } from '../../../src/page/app/commands.ts'
import { hostileText } from '../../helpers/hostile.ts'

const context = { run: 'pnpm', workspace: 'prompts' }

test('a command to copy names the package manager and the workspace', () => {
  expect(commandOf(context, 'pull')).toBe('pnpm prompts pull')
  expect(commandOf({ run: 'npx', workspace: 'billing-prompts' }, 'pull', ['a'])).toBe(
    'npx prompts pull a --name billing-prompts',
  )
})

test.each([
  ['a/b.c_d-e', 'pnpm prompts pull a/b.c_d-e'],
  ["a'; rm -rf ~", String.raw`pnpm prompts pull 'a'\''; rm -rf ~'`],
  ['~/a', "pnpm prompts pull '~/a'"],
  ['HEAD~1', 'pnpm prompts pull HEAD~1'],
  ['--yes', undefined],
  ['- x', undefined],
  ['a\nb', undefined],
  ['a\u202eb', undefined],
  ['', undefined],
])('a command to copy for the slug %j is %j', (slug, want) => {
  expect(commandOf(context, 'pull', [slug])).toBe(want)
})

test.skipIf(process.platform === 'win32')(
  'a slug in a command to copy is one argument in a shell',
  () => {
    hold(
      property(hostileText, (slug) => {
        const command = commandOf({ run: 'printf %s; #', workspace: 'prompts' }, 'pull', [slug])
        if (command === undefined) return
        const value = command.slice('printf %s; # prompts pull '.length)
        expect(execFileSync('sh', ['-c', `printf %s ${value}`]).toString()).toBe(slug)
      }),
      { numRuns: 50 },
    )
  },
)
