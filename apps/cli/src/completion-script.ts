import { script } from '@bomb.sh/tab';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** `_get_comp_words_by_ref` belongs to the package bash-completion, which is not everywhere. */
const bashPrelude = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        cur="\${COMP_WORDS[COMP_CWORD]}"
        prev="\${COMP_WORDS[COMP_CWORD-1]}"
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
    }
fi
`;

/** The generator prints what it makes: caught here, so that it can be mended and written where results go. */
const generate = (shell: Shell): string => {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => lines.push(line);
  try {
    script(shell, 'colophon', 'colophon');
  } finally {
    console.log = log;
  }
  return `${lines.join('\n').trim()}\n`;
};

/**
 * The completion script of a shell. In bash's the words are quoted before it evaluates them, file names
 * are let in, and nothing is read-only, so that a start-up file may be read twice.
 */
export const completionScript = (shell: Shell): string => {
  const generated = generate(shell);
  if (shell !== 'bash') return generated;
  const mended = generated
    .replace(/-- \$\{words\[@\]:1\}"/, `-- $(printf '%q ' "\${words[@]:1:cword}")"`)
    .replace(/ *# Add an empty parameter[^\n]*\n[^\n]*\n[^\n]*\n *fi\n/, '')
    .replace(/^readonly /gm, '')
    .replace('complete -F __colophon_complete', 'complete -o default -F __colophon_complete');
  return bashPrelude + mended;
};
