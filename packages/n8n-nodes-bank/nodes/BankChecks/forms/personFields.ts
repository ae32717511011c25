/** The fields that say who is checked, in the order of the form: name, date of birth, document, tax number. */
export const personFields = ['fnm1', 'fnm2', 'fnm3', 'dtbr', 'ser', 'num', 'crf'] as const;
