;;; eglot.el --- A session of Emacs with Eglot  -*- coding: utf-8; lexical-binding: t -*-

;; Prints a line for each request, and ends with an error at the first answer that is not as
;; expected.
;;
;;   ZOO=FOLDER ASOF=PROGRAM emacs --batch --load eglot.el
;;
;; The set-up is that of docs/lsp.md.

(require 'package)
(package-initialize)
(require 'eglot)
(require 'rust-mode)

(defvar here (file-name-directory load-file-name))
(defvar passed 0)

(defun same (what found expected)
  (unless (equal found expected)
    (error "%s: expected %S, found %S" what expected found))
  (setq passed (1+ passed))
  (message "ok %2d %s" passed what))

(defun has (what text part)
  (unless (and (stringp text) (string-search part text))
    (error "%s: expected %s in %S" what part text))
  (same what t t))

(defun open (file)
  (find-file (expand-file-name (concat "src/" file) (getenv "ZOO"))))

(defun go (line word)
  "Puts point at WORD, on the first line that has LINE."
  (goto-char (point-min))
  (search-forward line)
  (beginning-of-line)
  (search-forward word)
  (goto-char (match-beginning 0)))

(defun places (found)
  "FOUND as `file:line text', sorted."
  (sort (mapcar (lambda (one)
                  (let ((at (xref-item-location one)))
                    (format "%s:%d %s" (file-name-nondirectory (xref-location-group at))
                            (xref-location-line at) (string-trim (xref-item-summary one)))))
                found)
        #'string<))

(defun run-documentation (file)
  "Evaluates the blocks of Emacs Lisp in FILE."
  (with-temp-buffer
    (insert-file-contents file)
    (while (re-search-forward "^```elisp\n" nil t)
      (let ((start (point)))
        (search-forward "\n```")
        (eval-region start (match-beginning 0))))))

(defun run (action)
  "Runs the code action ACTION at point, and chooses the last version of a list, as a person does."
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_ choices &rest _) (if (assoc action choices) action (caar (last choices)))))
            (last-nonmenu-event ?\r))
    (save-window-excursion
      (eglot-code-actions (point) nil nil t)
      (buffer-substring-no-properties (line-beginning-position) (point-max)))))

(defun session ()
  (run-documentation (expand-file-name "../../docs/lsp.md" here))
  (push (file-name-directory (getenv "ASOF")) exec-path)
  (setq eglot-sync-connect 20)
  (open "keeper.rs")
  (apply #'eglot (eglot--guess-contact))
  (same "initialize" (plist-get (eglot--server-info (eglot-current-server)) :name) "asof")

  (go "keeper.feed(&Goat)" "feed")
  (same "definition of a method" (places (xref-backend-definitions 'eglot "feed"))
        '("keeper.rs:15 pub fn feed(&mut self, animal: &dyn Animal) -> usize {"))
  (same "references" (places (xref-backend-references 'eglot "feed"))
        '("keeper.rs:15 pub fn feed(&mut self, animal: &dyn Animal) -> usize {"
          "keeper.rs:28 keeper.feed(&Lion { pride: 3 });"
          "keeper.rs:29 keeper.feed(&Goat);"))
  (go "Grüße" "meals")
  (same "definition after wide characters" (places (xref-backend-definitions 'eglot "meals"))
        '("keeper.rs:6 pub meals: Vec<Food>,"))
  (let (hover)
    (save-window-excursion
      (switch-to-buffer (current-buffer))
      (eglot-hover-eldoc-function (lambda (text &rest _) (setq hover (or hover text))))
      (with-timeout (20) (while (not hover) (accept-process-output nil 0.1))))
    (has "hover" hover "pub meals: Vec<Food>"))
  ;; Versions group them differently.
  (has "document symbols" (prin1-to-string (eglot-imenu)) "\"open_zoo\"")
  (same "workspace symbol by a part of its name"
        (places (list (car (xref-backend-apropos 'eglot "open_zo"))))
        '("keeper.rs:26 pub fn open_zoo() -> Keeper {"))
  (go "pub fn feed" "feed")
  (has "command asof.diffItem" (run "asof: Last change of this item")
       "\n+        let meal = animal.eats();")
  (has "command asof.history, and a document of the past" (run "asof: History of this item")
       "    pub fn feed(&mut self, animal: &dyn Animal) {")

  (go "fn count" "count")
  (eglot-rename "tally")
  (go "Grüße" "tally")
  (same "rename in the buffer, and a definition by its text"
        (places (xref-backend-definitions 'eglot "tally"))
        '("keeper.rs:22 fn tally(_greeting: &str, meals: &[Food], meal: Food) -> usize {"))
  (set-buffer-modified-p nil)
  ;; Eglot kills the server as soon as it has answered.
  (eglot-shutdown (eglot-current-server))
  (same "shutdown" (eglot-current-server) nil))

(condition-case problem
    (session)
  (error (message "not ok: %s" (error-message-string problem))
         (kill-emacs 1)))
(message "%d requests of Eglot in Emacs %s" passed emacs-version)

;;; eglot.el ends here
