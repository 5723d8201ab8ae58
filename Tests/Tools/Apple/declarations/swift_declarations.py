"""Reads the public declarations of Swift sources: enough of the grammar for the stand-ins."""
import re
from dataclasses import dataclass

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|(?P<string>""".*?"""|"(?:\\.|[^"\\])*")|(?P<word>`?\w+`?)'
    r'|(?P<newline>\n)|(?P<arrow>->)|(?P<other>\S)', re.S)
MODIFIERS = {
    'public', 'open', 'internal', 'private', 'fileprivate', 'package', 'final', 'override', 'weak',
    'unowned', 'static', 'class', 'convenience', 'required', 'mutating', 'nonisolated', 'optional',
    'lazy', 'indirect', 'dynamic',
}
TYPES = {'class', 'struct', 'enum', 'protocol', 'extension', 'actor'}
PAIRS = {'(': ')', '[': ']', '{': '}'}


@dataclass
class Declaration:
    """One public declaration."""
    kind: str  # class, struct, enum, protocol, func, var, case, const or typealias
    owner: str  # the type, or 'global'
    name: str
    spelling: str  # labels and types, in one form
    value: str = ''
    bases: tuple = ()
    is_static: bool = False
    is_settable: bool = False
    is_default: bool = False  # in an extension
    is_optional: bool = False
    place: str = ''

    @property
    def key(self):
        return (self.owner, self.name if self.kind in ('case', 'const') else self.spelling)


def spell(tokens):
    """Joins tokens in one form, whatever the spaces were."""
    text = ''
    for token in tokens:
        if token == '\n':
            continue
        if token == '->':
            text += ' -> '
        elif text and re.match(r'[\w`@(]', token) and re.search(r'[\w`)]$', text):
            joined = token == '(' and not re.search(r'\b(any|some|escaping|Sendable)$', text)
            text += token if joined else ' ' + token
        else:
            text += token
        if token in (',', ':'):
            text += ' '
    text = re.sub(r'\s+', ' ', text.replace('`', '')).strip()
    return re.sub(r'@ (?=\w)', '@', text)


class Reader:
    """Reads one file, or one line of the table."""

    def __init__(self, text, place=''):
        self.tokens = []
        self.lines = []
        self.place = place
        line = 1
        for match in TOKEN.finditer(text):
            if match.lastgroup:
                self.tokens.append(match.group(match.lastgroup))
                self.lines.append(line)
            line += match.group(0).count('\n')
        self.index = 0
        self.found = []

    def peek(self, ahead=0):
        at = self.index + ahead
        return self.tokens[at] if at < len(self.tokens) else ''

    def skip_newlines(self):
        while self.peek() == '\n':
            self.index += 1

    def group(self):
        """Reads a bracketed group, and returns its tokens without the brackets."""
        start, depth = self.index, 0
        while self.index < len(self.tokens):
            token = self.tokens[self.index]
            depth += token in PAIRS
            depth -= token in PAIRS.values()
            self.index += 1
            if depth == 0:
                break
        return self.tokens[start + 1:self.index - 1]

    def until(self, *ends):
        """Reads up to one of some tokens outside of brackets."""
        taken = []
        while self.index < len(self.tokens) and self.peek() not in ends:
            if self.peek() in ('(', '['):
                opening = self.peek()
                taken += [opening, *self.group(), PAIRS[opening]]
            else:
                taken.append(self.peek())
                self.index += 1
        return taken

    def members(self, owner, is_public=False, is_extension=False, in_enum=False):
        """Reads the members of a type, or of a file, up to its end."""
        self.skip_newlines()
        while self.index < len(self.tokens) and self.peek() != '}':
            self.member(owner, is_public, is_extension, in_enum)
            self.skip_newlines()
        self.index += 1

    def member(self, owner, is_public, is_extension, in_enum):
        modifiers = set()
        while True:
            token = self.peek()
            if token == '\n' or token == ';':
                self.index += 1
            elif token == '#':
                self.until('\n')
            elif token == '@':
                self.index += 2
                if self.peek() == '(':
                    self.group()
            elif token in MODIFIERS and not (token == 'class' and self.names_type()):
                self.index += 1
                modifiers.add(token)
                if self.peek() == '(':
                    modifiers.add(f'{token}({self.group()[0]})')
            else:
                break
        line = self.lines[self.index] if self.index < len(self.lines) else 0
        place = f'{self.place}:{line}'
        if any(m.endswith('(set)') for m in modifiers):
            modifiers -= {m[:-5] for m in modifiers if m.endswith('(set)')} - {'public'}
        visible = is_public or bool(modifiers & {'public', 'open'})
        start = len(self.found)
        kind = self.peek()
        self.index += 1
        if kind in TYPES:
            self.type(kind, owner, visible, place)
        elif kind in ('func', 'init', 'subscript'):
            self.function(kind, owner, visible, place)
        elif kind in ('var', 'let'):
            self.variable(kind, owner, visible, place, modifiers)
        elif kind == 'case' and in_enum:
            self.cases(owner, visible, place)
        elif kind == 'typealias':
            name = self.peek()
            self.until('\n')
            self.add(visible, Declaration('typealias', owner, name, name, place=place))
        elif kind == '{' or self.peek() == '{':
            self.group()
        for added in self.found[start:]:
            if added.owner == owner:
                added.is_default = added.is_default or is_extension
                added.is_static = added.is_static or bool(modifiers & {'static', 'class'})
                added.is_optional = 'optional' in modifiers

    def names_type(self):
        return re.match(r'[A-Z]', self.peek(1)) is not None

    def add(self, visible, declaration):
        if visible:
            self.found.append(declaration)

    def type(self, kind, owner, visible, place):
        name = ''.join(self.until(':', '{', '<', 'where', '\n'))
        self.until(':', '{')
        bases = ()
        if self.peek() == ':':
            self.index += 1
            bases = tuple(spell(b) for b in split(self.until('{', 'where'), ','))
        self.until('{')
        self.index += 1
        full = name if owner == 'global' else f'{owner}.{name}'
        if kind != 'extension':
            self.add(visible, Declaration(kind, owner, full, full, bases=bases, place=place))
        inner = kind == 'protocol' and visible
        self.members(full, inner, kind == 'extension', kind == 'enum')

    def function(self, kind, owner, visible, place):
        name = kind
        if kind == 'func':
            name = ''.join(self.until('(', '<'))
        elif self.peek() in ('?', '!'):
            name += self.peek()
            self.index += 1
        if self.peek() == '<':
            self.until('(')
        labels = [parameter(p) for p in split(self.group(), ',')]
        tail = []
        while True:
            while self.peek() == '\n' and self.peek(1) in ('->', 'async', 'throws', 'where', '{'):
                self.index += 1
            if self.index >= len(self.tokens) or self.peek() in ('\n', '{', '}', ';'):
                break
            tail += self.until('\n', '{', '}', ';')
        if self.peek() == '{':
            self.group()
        after = spell(tail)
        spelling = f'{name}({", ".join(labels)})' + (' ' + after if after else '')
        self.add(visible, Declaration('func', owner, name, spelling, place=place))

    def variable(self, kind, owner, visible, place, modifiers):
        name = self.peek().strip('`')
        self.index += 1
        type_, value, body = '', '', None
        if self.peek() == ':':
            self.index += 1
            type_ = spell(self.until('=', '{', '\n'))
        if self.peek() == '=':
            self.index += 1
            self.skip_newlines()
            value = spell(self.until('{', '\n'))
        if self.peek() == '{':
            body = self.group()
        settable = kind == 'var' and not any(m.endswith('(set)') for m in modifiers)
        if body is not None and not value:
            settable = settable and any(word in body for word in ('set', 'didSet', 'willSet'))
        is_static = bool(modifiers & {'static', 'class'})
        is_constant = kind == 'let' and (is_static or owner == 'global') and value != ''
        self.add(visible, Declaration(
            'const' if is_constant else 'var', owner, name,
            f'{name}: {type_}' if type_ else name, value, is_settable=settable, place=place))

    def cases(self, owner, visible, place):
        for case in split(self.until('\n', '}', ';'), ','):
            name = case[0].strip('`')
            value = spell(case[2:]) if len(case) > 2 and case[1] == '=' else ''
            is_visible = visible or any(
                d.name == owner and d.kind == 'enum' for d in self.found)
            self.add(is_visible, Declaration('case', owner, name, name, value, place=place))


def split(tokens, separator):
    """Splits tokens at a separator outside of brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        depth += token in PAIRS or token == '<'
        depth -= token in PAIRS.values() or token == '>'
        if token == separator and depth == 0:
            parts.append([])
        elif token != '\n':
            parts[-1].append(token)
    return [part for part in parts if part]


def parameter(tokens):
    """Spells a parameter: its label and its type, without its default."""
    colon = tokens.index(':')
    type_, depth = [], 0
    for token in tokens[colon + 1:]:
        depth += token in PAIRS
        depth -= token in PAIRS.values()
        if token == '=' and depth == 0:
            break
        type_.append(token)
    return f'{tokens[0].strip("`")}: {spell(type_)}'


def read(text, place=''):
    """Returns the public declarations of a file."""
    reader = Reader(text, place)
    while reader.index < len(reader.tokens):
        reader.members('global')
    return reader.found


def read_line(text, owner, is_enum=False):
    """Returns the declaration of one line of the table."""
    reader = Reader(text)
    reader.member(owner, True, False, is_enum or text.startswith('case'))
    return reader.found[0]
