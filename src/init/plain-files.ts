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

/** Patterns by which `.env.local` is commonly ignored. */
const COVERING =
  /^\/?(?:\*\*\/)?(?:\.env\.local|\.env\*|\.env\.\*|\.env\*\.local|\.env\.\*\.local|\*\.local)$/

/** The text of `.gitignore`, in which `.env.local` is ignored. */
export function ignoreLocalEnv(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  if (lines.some((line) => COVERING.test(line))) return text
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${gap}.env.local\n`
}
