/** Writes text that comes in pieces, broken at spaces and indented, so that no line is wider than `width`. */
export const createTextStream = (write: (text: string) => void, width: number, indent: string) => {
  let column = 0;
  let word = '';
  const putWord = () => {
    if (word === '') return;
    if (column > 0 && column + 1 + word.length > width) {
      write('\n');
      column = 0;
    }
    const lead = column === 0 ? indent : ' ';
    write(lead + word);
    column += lead.length + word.length;
    word = '';
  };
  return {
    push: (text: string) => {
      for (const letter of text) {
        if (letter === ' ' || letter === '\n') putWord();
        else word += letter;
      }
    },
    /** Ends the last line. */
    end: () => {
      putWord();
      if (column > 0) write('\n');
      column = 0;
    },
  };
};
