const EXAMPLE: readonly (readonly [variable: string, comment: string])[] = [
  ['PROMPTS_BASE_URL', '# Address of the prompt service'],
  [
    'PROMPTS_API_KEY',
    '# Key of the prompt service: svc_live_… or svc_test_… Only `prompts pull` and `prompts check` need it.',
  ],
]

/** Adds the variables of this package, without values, to `.env.example`. */
export function addExampleVariables(text: string): string {
  const missing = EXAMPLE.filter(([name]) => !new RegExp(`^\\s*#?\\s*${name}\\s*=`, 'm').test(text))
  const lines = missing.map(([name, comment]) => `${comment}\n${name}=\n`)
  const gap = text === '' || missing.length === 0 ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return text + gap + lines.join('')
}

/** The files that git should ignore, each with the patterns that already cover it. */
const IGNORED: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    '.env.local',
    /^\/?(?:\*\*\/)?(?:\.env\.local|\.env\*|\.env\.\*|\.env\*\.local|\.env\.\*\.local|\*\.local)$/,
  ],
  // It contains line numbers of the lock, so two branches would always conflict in it.
  ['prompts.d.ts.map', /^(?:\/?\*\*\/)?(?:prompts\.d\.ts\.map|\*(?:\.d\.ts|\.ts)?\.map)$/],
]

/** The names that a `.gitignore` doesn't cover. */
export function missingIgnores(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return IGNORED.filter(([, pattern]) => !lines.some((line) => pattern.test(line))).map(
    ([name]) => name,
  )
}

/** Patterns that match `.env.example`. create-next-app's template has `.env*`. */
const EXAMPLE_PATTERN = /^!?\/?(?:\*\*\/)?\.env(?:\*|\.\*|\.example)$/

/** Whether git ignores `.env.example`. The last matching pattern decides. */
export function ignoresExample(gitignore: string): boolean {
  const lines = gitignore.split(/\r?\n/).map((line) => line.trim())
  return lines.findLast((line) => EXAMPLE_PATTERN.test(line))?.startsWith('!') === false
}
