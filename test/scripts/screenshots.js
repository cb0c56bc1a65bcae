// Takes the pictures of the page and the terminal again: `npm run screenshots`.
import { runTests } from '../nightly/apps/tests.js'

runTests(['browser/look', 'browser/terminal'], {
  KEEP_SCREENSHOTS: '1',
  // The fonts of this machine, also with the Chromium that comes from the registry.
  FONTCONFIG_FILE: '/etc/fonts/fonts.conf',
})
