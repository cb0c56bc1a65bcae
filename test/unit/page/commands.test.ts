import { execFileSync } from 'node:child_process'
import { assert as hold, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandOf } from '../../../src/page/app/commands.ts'
import { hostileText } from '../../helpers/hostile.ts'

const context = { run: 'pnpm', workspace: 'prompts' }

describe('a command to copy', () => {
  test('names the package manager and the workspace', () => {
    expect(commandOf(context, 'pull')).toBe('pnpm prompts pull')
    expect(commandOf({ run: 'npx', workspace: 'billing-prompts' }, 'pull', ['a'])).toBe(
      'npx prompts pull a --name billing-prompts',
    )
  })

  test.each([
    ['a/b.c_d-e', 'pnpm prompts pull a/b.c_d-e'],
    ['two words', "pnpm prompts pull 'two words'"],
    ["a'; rm -rf ~", String.raw`pnpm prompts pull 'a'\''; rm -rf ~'`],
    ['größe', "pnpm prompts pull 'größe'"],
    ['~/a', "pnpm prompts pull '~/a'"],
    ['HEAD~1', 'pnpm prompts pull HEAD~1'],
    ['--yes', undefined],
    ['- x', undefined],
    ['a\nb', undefined],
    ['a\u202eb', undefined],
    ['', undefined],
  ])('for the slug %j', (slug, want) => {
    expect(commandOf(context, 'pull', [slug])).toBe(want)
  })

  test.skipIf(process.platform === 'win32')('is one argument in a shell, for any slug', () => {
    hold(
      property(hostileText, (slug) => {
        const command = commandOf({ run: 'printf %s; #', workspace: 'prompts' }, 'pull', [slug])
        if (command === undefined) return
        const value = command.slice('printf %s; # prompts pull '.length)
        expect(execFileSync('sh', ['-c', `printf %s ${value}`]).toString()).toBe(slug)
      }),
      { numRuns: 50 },
    )
  })
})
