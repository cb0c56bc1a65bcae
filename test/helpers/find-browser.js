// Plain JavaScript, because the nightly scripts start a browser too.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function findBrowser() {
  return installedBrowser() ?? unpackedBrowser()
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** The one that CHROMIUM names, else one that is installed. */
function installedBrowser() {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  const named = process.env['CHROMIUM']
  const executablePath = named ?? [...paths, MAC].find((path) => existsSync(path))
  return executablePath === undefined
    ? undefined
    : { executablePath, args: FLAGS, env: process.env }
}

const UNPACKED = resolve(import.meta.dirname, '../../node_modules/.cache/chromium')

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${UNPACKED}/fonts</dir>
  <cachedir>${UNPACKED}/fonts-cache</cachedir>
</fontconfig>
`

/** The one that comes with `@sparticuz/chromium`: it needs no library of the system but libc. */
function unpackedBrowser() {
  const executablePath = join(UNPACKED, 'chromium')
  if (!existsSync(executablePath)) {
    console.info('No Chromium is installed: unpacking the one of @sparticuz/chromium (once).')
    const partial = `${UNPACKED}.partial`
    rmSync(partial, { recursive: true, force: true })
    mkdirSync(partial, { recursive: true })
    execFileSync(process.execPath, [join(import.meta.dirname, 'unpack-chromium.js')], {
      env: {
        ...process.env,
        TMPDIR: partial,
        // It unpacks the shared libraries too when it takes the machine for one of AWS Lambda.
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x',
        AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    // Its own configuration names the folders of AWS Lambda, and text without a font has no width.
    writeFileSync(join(partial, 'fonts/fonts.conf'), FONTS)
    renameSync(partial, UNPACKED)
  }
  return {
    executablePath,
    args: FLAGS,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib'),
      FONTCONFIG_PATH: join(UNPACKED, 'fonts'),
    },
  }
}
