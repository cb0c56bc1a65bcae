import { describe, expect, test } from 'vitest'
import { addScripts } from '../../../../src/features/init/edit-manifest.ts'

const SCRIPTS = { 'prompts:pull': 'prompts pull', 'prompts:check': 'prompts check' }

describe('addScripts', () => {
  test.each([
    {
      title: 'after the other scripts, with the rest unchanged',
      given: `{\n  "files": ["dist"],\n  "scripts": {\n    "dev": "vite"\n  }\n}\n`,
      want: `{\n  "files": ["dist"],\n  "scripts": {\n    "dev": "vite",\n    "prompts:pull": "prompts pull",\n    "prompts:check": "prompts check"\n  }\n}\n`,
    },
    {
      title: 'in tabs and Windows line ends',
      given: `{\r\n\t"scripts": {\r\n\t\t"dev": "vite"\r\n\t}\r\n}`,
      want: `{\r\n\t"scripts": {\r\n\t\t"dev": "vite",\r\n\t\t"prompts:pull": "prompts pull",\r\n\t\t"prompts:check": "prompts check"\r\n\t}\r\n}`,
    },
    {
      title: 'if there are no scripts',
      given: `{\n    "name": "app"\n}\n`,
      want: `{\n    "name": "app",\n    "scripts": {\n        "prompts:pull": "prompts pull",\n        "prompts:check": "prompts check"\n    }\n}\n`,
    },
    {
      title: 'into empty scripts',
      given: `{\n  "scripts": {}\n}\n`,
      want: `{\n  "scripts": {\n    "prompts:pull": "prompts pull",\n    "prompts:check": "prompts check"\n  }\n}\n`,
    },
    {
      title: 'into an empty object',
      given: `{}\n`,
      want: `{\n  "scripts": {\n    "prompts:pull": "prompts pull",\n    "prompts:check": "prompts check"\n  }\n}\n`,
    },
    {
      title: 'but not over a script of that name',
      given: `{\n  "scripts": {\n    "prompts:pull": "mine"\n  }\n}\n`,
      want: `{\n  "scripts": {\n    "prompts:pull": "mine",\n    "prompts:check": "prompts check"\n  }\n}\n`,
    },
  ])('adds scripts $title', ({ given, want }) => {
    const text = addScripts(given, SCRIPTS)
    expect(text).toBe(want)
    expect(addScripts(want, SCRIPTS)).toBe(want)
    expect(() => JSON.parse(want)).not.toThrow()
  })

  test.each(['', '[]', '1', '{ "a": 1, }', '{ "scripts": 1 }'])(
    'leaves %j to the user',
    (given) => {
      expect(addScripts(given, SCRIPTS)).toBeUndefined()
    },
  )
})
