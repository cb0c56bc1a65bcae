const EXAMPLE: readonly (readonly [variable: string, comment: string])[] = [
  ['PROMPTS_BASE_URL', '# Address of the prompt service'],
  [
    'PROMPTS_API_KEY',
    '# Key of the prompt service: svc_live_… or svc_test_… Only `prompts pull` and `prompts check` need it.',
  ],
]

/** The text of `.env.example` with our variables, empty, behind what is there. */
export function addExampleVariables(text: string): string {
  const missing = EXAMPLE.filter(([name]) => !new RegExp(`^\\s*#?\\s*${name}\\s*=`, 'm').test(text))
  const lines = missing.map(([name, comment]) => `${comment}\n${name}=\n`)
  const gap = text === '' || missing.length === 0 ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return text + gap + lines.join('')
}

/** What git should ignore, and the patterns by which it commonly does so already. */
const IGNORED: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    '.env.local',
    /^\/?(?:\*\*\/)?(?:\.env\.local|\.env\*|\.env\.\*|\.env\*\.local|\.env\.\*\.local|\*\.local)$/,
  ],
  // It has the line of every prompt in the lock, so two branches would always conflict in it.
  ['prompts.d.ts.map', /^(?:\/?\*\*\/)?(?:prompts\.d\.ts\.map|\*(?:\.d\.ts|\.ts)?\.map)$/],
]

/** The names that a `.gitignore` lacks. */
export function missingIgnores(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return IGNORED.filter(([, pattern]) => !lines.some((line) => pattern.test(line))).map(
    ([name]) => name,
  )
}

/** Patterns by which templates ignore `.env.example` too: create-next-app has `.env*`. */
const EXAMPLE_PATTERN = /^!?\/?(?:\*\*\/)?\.env(?:\*|\.\*|\.example)$/

/** Whether git ignores `.env.example`: the last pattern that matches it decides. */
export function ignoresExample(gitignore: string): boolean {
  const lines = gitignore.split(/\r?\n/).map((line) => line.trim())
  return lines.findLast((line) => EXAMPLE_PATTERN.test(line))?.startsWith('!') === false
}

/** The text of `.gitignore` with these names at its end. */
export function addIgnores(text: string, names: readonly string[]): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return text + gap + names.map((name) => `${name}\n`).join('')
}
