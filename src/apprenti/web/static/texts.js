// Every text of the page in two languages. A test reads the table: between the braces it is JSON.

import { keep, setting } from "./settings.js";

const LANGUAGES = ["en", "fr"];

let chosen = setting("language", (navigator.language ?? "en").toLowerCase().startsWith("fr") ? "fr" : "en");

/** The language of the page. */
export function language() {
  return chosen;
}

/** All languages. */
export function languages() {
  return LANGUAGES;
}

/** Speak another language from now on. */
export function setLanguage(name) {
  chosen = LANGUAGES.includes(name) ? name : "en";
  keep("language", chosen);
}

/** A text by its key, with {0}, {1} … replaced. */
export function text(key, ...words) {
  const found = TEXTS[key]?.[LANGUAGES.indexOf(chosen)] ?? key;
  return found.replace(/\{(\d)\}/g, (_, index) => words[Number(index)] ?? "");
}

/** A text by its key where there is one, else the server's own words. */
export function worded(key, words) {
  return key in TEXTS ? text(key) : words;
}

/** A number, short. */
export function number(value) {
  if (value === null || value === undefined) return "−∞";
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 1 : 2;
  return new Intl.NumberFormat(chosen, { maximumFractionDigits: digits, minimumFractionDigits: Number.isInteger(value) ? 0 : digits }).format(value + 0).replace("-", "−");
}

export const TEXTS = {
  "nav": ["Pages", "Pages"],
  "nav.play": ["Play", "Jouer"],
  "nav.watch": ["Watch", "Regarder"],
  "nav.wall": ["Wall", "Mur"],
  "nav.replays": ["Replays", "Parties"],
  "language": ["Language", "Langue"],
  "language.other": ["Français", "English"],
  "theme.dark": ["Dark colours", "Couleurs sombres"],
  "theme.light": ["Light colours", "Couleurs claires"],
  "skip": ["To the content", "Aller au contenu"],
  "error": ["That did not work", "Cela n'a pas marché"],
  "line.lost": ["The server does not answer. The game is stored: start apprenti web again and open its new address.", "Le serveur ne répond pas. La partie est enregistrée : relancez apprenti web et ouvrez sa nouvelle adresse."],
  "line.found": ["The server answers again.", "Le serveur répond de nouveau."],

  "home.title": ["What shall we play?", "À quoi jouons-nous ?"],
  "home.about": ["Play against machines that learned, watch them, and see why they play as they do.", "Jouez contre des machines qui ont appris, regardez-les, et voyez pourquoi elles jouent ainsi."],
  "home.left": ["Go on with", "Reprendre"],
  "home.games": ["Games", "Jeux"],
  "game.tetris": ["Tetris", "Tetris"],
  "game.tetris.about": ["Falling pieces; full lines vanish", "Des pièces tombent ; les lignes pleines disparaissent"],
  "game.tictactoe": ["Tic-tac-toe", "Morpion"],
  "game.tictactoe.about": ["Three in a row on 3 by 3", "Trois alignés sur 3 par 3"],
  "game.gomoku": ["Gomoku", "Gomoku"],
  "game.gomoku.about": ["Five in a row on 15 by 15", "Cinq alignés sur 15 par 15"],
  "game.mnk": ["m,n,k", "m,n,k"],
  "game.mnk.about": ["K in a row on any board up to 19 by 19", "K alignés sur un plateau jusqu'à 19 par 19"],
  "game.luzhanqi": ["Luzhanqi", "Luzhanqi"],
  "game.luzhanqi.about": ["Army chess with hidden pieces", "Échecs de guerre à pièces cachées"],

  "board": ["Board", "Plateau"],
  "cell.free": ["free", "libre"],
  "typed.move": ["Type a move", "Écrire un coup"],
  "typed.play": ["Play it", "Jouer"],
  "moves.legal": ["Legal moves", "Coups permis"],
  "moves": ["Moves", "Coups"],
  "option.usual": ["as usual", "comme d'habitude"],
  "seed": ["seed", "graine"],
  "seed.drawn": ["drawn by lot", "tirée au sort"],
  "seed.help": ["What chance decides depends on this number alone.", "Le hasard ne dépend que de ce nombre."],
  "new.opponent": ["Opponent", "Adversaire"],
  "new.side": ["Your side", "Votre camp"],
  "new.first": ["moves first", "commence"],
  "new.random": ["by lot", "au sort"],
  "new.rules": ["Rules", "Règles"],
  "new.more": ["More", "Plus"],
  "new.undo": ["Moves may be taken back", "On peut reprendre un coup"],
  "new.minutes": ["Your time in minutes", "Votre temps en minutes"],
  "new.minutes.help": ["For the whole game; 0 for no limit.", "Pour toute la partie ; 0 pour aucune limite."],
  "new.begin": ["Begin", "Commencer"],
  "your.turn": ["Your turn", "À vous de jouer"],
  "thinking": ["thinking …", "réfléchit …"],
  "player.you": ["you", "vous"],
  "player.human": ["you", "vous"],
  "standing": ["Won {0}, drawn {1}, lost {2}", "Gagnées {0}, nulles {1}, perdues {2}"],
  "end.draw": ["A draw", "Nulle"],
  "end.won": ["You win", "Vous gagnez"],
  "end.lost": ["You lose", "Vous perdez"],
  "end.wins": ["{0} wins", "{0} gagne"],
  "act.hint": ["What would it play?", "Que jouerait-il ?"],
  "act.undo": ["Take back", "Reprendre le coup"],
  "act.resign": ["Resign", "Abandonner"],
  "act.rematch": ["Play again", "Rejouer"],
  "act.replay": ["See the game", "Revoir la partie"],
  "act.other": ["Other settings", "Autres réglages"],
  "explain": ["Explanation", "Explication"],
  "explain.who": ["Whom to ask", "À qui demander"],
  "explain.plays": ["{0} would play {1}.", "{0} jouerait {1}."],
  "explain.nothing": ["It does not say why.", "Il ne dit pas pourquoi."],
  "explain.parts": ["What the value of {0} is made of", "De quoi est faite la valeur de {0}"],
  "explain.criterion": ["Criterion", "Critère"],
  "explain.contributes": ["Contributes", "Apport"],
  "explain.sum": ["Sum", "Somme"],
  "keys": ["Keys", "Touches"],
  "keys.cursor": ["move the cursor", "déplacer le curseur"],
  "keys.mark": ["mark the cell", "marquer la case"],
  "copied": ["Copied", "Copié"],

  "replays.open": ["not finished", "pas finie"],
  "replays.moves": ["{0} moves", "{0} coups"],
  "replays.drop": ["Drop a replay here, or choose a file.", "Déposez une partie ici, ou choisissez un fichier."],
  "replays.none": ["Games that you play here are stored and listed.", "Les parties jouées ici sont enregistrées et listées."],
  "replays.large": ["This file is too large: a replay has at most 1.5 MB.", "Ce fichier est trop grand : une partie a au plus 1,5 Mo."],
  "replay.cut": ["This link was cut or is not a game.", "Ce lien est coupé ou n'est pas une partie."],
  "replay.position": ["Position", "Position"],
  "replay.play": ["Play or pause", "Lecture ou pause"],
  "replay.first": ["To the beginning", "Au début"],
  "replay.back": ["One back", "Un coup en arrière"],
  "replay.forth": ["One forth", "Un coup en avant"],
  "replay.last": ["To the end", "À la fin"],
  "replay.verified": ["Verified: played again", "Vérifiée : rejouée"],
  "replay.wrong": ["Not verified", "Non vérifiée"],
  "replay.link": ["Copy a link", "Copier un lien"],
  "replay.copy": ["Copy the position", "Copier la position"],
  "replay.save": ["Save", "Enregistrer"],
  "replay.continue": ["Go on from here", "Continuer d'ici"],
  "replay.turn": ["whose turn it is", "celui qui a le trait"],
  "replay.here": ["Play from this position", "Jouer depuis cette position"],
  "watch.eyes": ["Through the eyes of", "Par les yeux de"],
  "watch.open": ["everything open", "tout ouvert"],
  "keys.step": ["one move back or forth", "un coup en arrière ou en avant"],
  "keys.pause": ["play or pause", "lecture ou pause"]
};
