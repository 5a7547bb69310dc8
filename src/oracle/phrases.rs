//! The phrases in which people and models ask about items.

use super::question::{Ask, Change};
use asof_model::NodeKind;

/// The phrases, most particular first: `N` and `M` stand for an item with the words that belong to
/// it, `ASK` for the words before a noun. The whole question must fit, in lower case, after
/// politeness, moment and file were taken off. The group `public` asks for public entries only,
/// `functions` for those without `self`.
pub(super) const PHRASES: &[(&str, Ask)] = &[
    // Time.
    (r"(?:since when|how long) (?:does|do|did|has|have) N call(?:s|ed)? M", Ask::SinceCalls),
    (r"when did N (?:start|begin) (?:to call|calling) M", Ask::SinceCalls),
    (r"when did N first call M", Ask::SinceCalls),
    (
        r"when (?:was|did) N (?:get )?(?:last|most recently) (?:change|changed|modified|updated|edited|touched)",
        Ask::Changed(Change::Last),
    ),
    (
        r"(?:what|which) (?:is |was )?(?:the )?(?:(?:last|latest|most recent) (?:commit|revision) (?:that |to |which )?|(?:commit|revision) (?:that )?(?:last|most recently) )(?:change|changed|modified|modify|touched|touch|updated|update|edited|affected) N",
        Ask::Changed(Change::Last),
    ),
    (
        r"(?:what|which) (?:commits?|revisions?) (?:that )?(?:changed|modified|touched|updated|edited) N",
        Ask::Changed(Change::Any),
    ),
    (
        r"when was the last (?:change|modification|update|edit) (?:to|of|in) N",
        Ask::Changed(Change::Last),
    ),
    (
        r"when (?:was|did) N (?:get )?(?:change|changed|modified|updated|edited|touched)",
        Ask::Changed(Change::Any),
    ),
    (
        r"when (?:was|did) N (?:first )?(?:added|created|introduced|written|appear|show up)",
        Ask::Changed(Change::Added),
    ),
    (
        r"(?:which|what) (?:commit|revision) (?:added|created|introduced) N",
        Ask::Changed(Change::Added),
    ),
    (r"since when (?:does|has) N (?:exist|existed|been there)", Ask::Changed(Change::Added)),
    (r"when was N (?:removed|deleted|dropped)", Ask::Changed(Change::Removed)),
    (
        r"(?:which|what) (?:commit|revision) (?:removed|deleted|dropped) N",
        Ask::Changed(Change::Removed),
    ),
    // One item's declaration.
    (
        r"(?:ASK )?(?:full |exact |complete |function |type |method )*(?:signature|declaration) (?:of|for) N",
        Ask::Signature,
    ),
    (r"(?:ASK )?N(?:'s)? (?:signature|declaration)", Ask::Signature),
    (r"(?:ASK )?how (?:is )?N (?:is )?(?:declared|defined)", Ask::Signature),
    (r"what does the (?:signature|declaration) of N look like", Ask::Signature),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:names (?:and types )?of (?:the )?)?(?:function )?(?:parameters?|parameter names|params?|arguments?|args?|inputs?) (?:and (?:their )?types )?(?:are (?:there )?)?(?:taken by|passed to|accepted by|of|to|for|in|does) N(?: take| have| accept| expect)?",
        Ask::Parameters,
    ),
    (
        r"(?:what|which|how many) (?:function )?(?:parameters?|params?|arguments?|args?|inputs?) (?:does|do|did|must|should|can) N (?:take|accept|have|expect|need|require|receive|be called with|be given)s?",
        Ask::Parameters,
    ),
    (
        r"what (?:does|did) N (?:take|accept)(?: as (?:parameters|arguments|input))?",
        Ask::Parameters,
    ),
    (r"(?:ASK )?N(?:'s)? (?:parameters|params|arguments|args)", Ask::Parameters),
    (
        r"(?:ASK )?(?:the )?(?:(?:return(?:ed)?|result|output) (?:types?|value) (?:of|for)|type returned by) N",
        Ask::ReturnType,
    ),
    (
        r"(?:what|which) (?:(?:kind|sort) of )?(?:type |types |value )?(?:does|did|do) N (?:return|give back|produce|evaluate to|yield)",
        Ask::ReturnType,
    ),
    (r"(?:does|do|did) N return M", Ask::Returns),
    (r"is M (?:the return type of|returned by) N", Ask::Returns),
    (r"is the return type of N M", Ask::Returns),
    (r"what (?:type )?is returned (?:by|from) N", Ask::ReturnType),
    (r"(?:ASK )?N(?:'s)? return type", Ask::ReturnType),
    // Members.
    (
        r"(?:does|did) N (?:have|contain|define|declare|take|accept|expect|include) (?:an? |the )?(?P<member>field|variant|method|parameter|argument|function|associated function)s? (?:called |named |by the name of )?M",
        Ask::Has,
    ),
    (
        r"(?:does|did) N (?:have|contain|define|declare|take|accept|include) (?:an? |the )?M (?P<member>field|variant|method|parameter|argument|associated function)s?",
        Ask::Has,
    ),
    (
        r"is there (?:an? |the )?(?P<member>field|variant|method|parameter|argument|associated function) (?:called |named )?M (?:in|on|of) N",
        Ask::Has,
    ),
    (
        r"is M (?:an? |the |one of the )?(?P<member>field|variant|method|parameter|argument|associated function)s? (?:of|on|in|to) N",
        Ask::Has,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?P<public>public |pub )?(?:fields?|members|struct fields|field names|names of (?:the |all )?fields) (?:and (?:their )?types )?(?:are there |exist |are |is )?(?:defined |declared )?(?:of|in|on|for) N",
        Ask::Fields,
    ),
    (
        r"(?:what|which|how many) (?P<public>public |pub )?(?:fields?|members) (?:does|do|did) N (?:have|contain|define|hold|store|consist of|declare)",
        Ask::Fields,
    ),
    (r"what (?:does|do|is) N (?:contain|store|hold|consist of|made of|made up of)", Ask::Fields),
    (r"(?:ASK )?type (?:of|for) (?:the )?field M (?:of|in|on) N", Ask::TypeOf),
    (r"(?:ASK )?type (?:of|for) (?:the )?M field (?:of|in|on) N", Ask::TypeOf),
    (r"(?:what|which) type (?:is|does|has) (?:the )?field M (?:of|in|on) N(?: have)?", Ask::TypeOf),
    (r"(?:ASK )?type of N", Ask::TypeOf),
    (r"(?:what|which|how many) fields has N", Ask::Fields),
    (r"(?:what|which|how many) variants has N", Ask::Variants),
    (r"(?:ASK )?N(?:'s)? fields", Ask::Fields),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:enum )?(?:variants?|cases|variant names|names of (?:the |all )?variants) (?:are there |exist |are |is )?(?:defined |declared )?(?:of|in|on|for) N",
        Ask::Variants,
    ),
    (r"what (?:are )?(?:the )?(?:possible values|possible variants) (?:of|for) N", Ask::Variants),
    (
        r"(?:what|which|how many) (?:variants?|cases) (?:does|do|did) N (?:have|contain|define|declare)",
        Ask::Variants,
    ),
    (r"(?:ASK )?N(?:'s)? variants", Ask::Variants),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?P<public>public |pub )?(?P<assoc>inherent )?(?:methods?|(?P<functions>associated functions?)) (?:are there |exist |are |is )?(?:available )?(?:of|in|on|for|(?:that are )?(?:defined|declared|implemented|provided|required) (?:on|by|in|for)|that) N",
        Ask::Methods,
    ),
    (
        r"(?:what|which|how many) (?P<public>public |pub )?(?:methods?|(?P<functions>associated functions?)) (?:does|do|did) N (?:have|contain|define|provide|offer|declare|expose|implement)",
        Ask::Methods,
    ),
    (r"(?:ASK )?N(?:'s)? methods", Ask::Methods),
    // Traits.
    (
        r"(?:what|which|how many) traits? (?:does|do|did) N (?:implement|derive|have|satisfy)",
        Ask::Traits,
    ),
    (
        r"(?:what|which|how many) traits? (?:is|are) (?:implemented|derived) (?:by|for|on) N",
        Ask::Traits,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?traits (?:that are )?(?:implemented (?:by|for|on)|of) N",
        Ask::Traits,
    ),
    (r"(?:ASK )?(?:all )?(?:the )?traits (?:that )?N implements", Ask::Traits),
    (
        r"(?:does|do|did|can) N (?:also |already |directly )?(?:implement|impl|derive|satisfy) M",
        Ask::Implements,
    ),
    (r"is M (?:implemented|derived) (?:by|for|on) N", Ask::Implements),
    (
        r"is N (?P<trait>copy|clone|debug|default|send|sync|hash|eq|ord|display|serialize|deserialize|unpin|iterator)",
        Ask::Implements,
    ),
    (r"is there an? (?:impl|implementation) of M for N", Ask::Implements),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:implement[eo]rs|implementing types|implementations|impls) (?:are there |exist )?(?:of|for) N",
        Ask::Implementors,
    ),
    (
        r"(?:who|what|which types?|how many types|which structs?|which structs or enums|what types?|which items?|what structs?|which structs and enums|what all) (?:directly )?(?:implements?|derives?) N",
        Ask::Implementors,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:types|structs|enums|items|everything)(?: that)? (?:implements?|implementing|which implement|deriving|derive) N",
        Ask::Implementors,
    ),
    (
        r"(?:(?:for )?(?:what|which) (?:types? )?)(?:is|are) N implemented(?: by| for| on)?",
        Ask::Implementors,
    ),
    // Calls and uses.
    (
        r"(?:does|do|did) N (?:ever |directly |still |itself )*(?:call|invoke) M(?: directly)?",
        Ask::Calls,
    ),
    (
        r"(?:is|was) M (?:ever |directly |still )*(?:called|invoked) (?:directly )?(?:by|from|in|inside|within) N",
        Ask::Calls,
    ),
    (r"is there (?:an? )?(?:direct )?call (?:of|to) M (?:in|from|inside) N", Ask::Calls),
    (r"is N (?:an? )?(?:direct )?caller of M", Ask::Calls),
    (r"(?:does|do|did) N call itself(?: recursively)?", Ask::CallsItself),
    (r"is N (?:directly )?recursive", Ask::CallsItself),
    (r"(?:ASK )?(?:all )?(?:the )?(?:direct )?callers (?:of|for) N", Ask::Callers),
    (
        r"(?:who|what|what code|which code|what all|(?:which|what|how many) (?:other )?(?:functions?|methods?|fns|functions or methods|functions and methods|functions/methods|items|callers|places)) (?:directly |currently |actually )*(?:calls?|invokes?) N(?: directly)?",
        Ask::Callers,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:functions|methods|functions and methods|functions or methods|items|places|code|everything)(?: that| which| where)? (?:directly )?(?:calls?|calling|invokes?|invoking) N",
        Ask::Callers,
    ),
    (
        r"(?:where|from where|by what|by which functions|by whom|(?:by|from) (?:which|what) (?:functions?|methods?|places)) (?:is|was) N (?:called|invoked)(?: from)?",
        Ask::Callers,
    ),
    (
        r"(?:what|who|which functions?|what functions?) (?:is|was) N (?:called|invoked) (?:by|from)",
        Ask::Callers,
    ),
    (r"(?:how many|what|which) (?:direct )?callers does N have", Ask::Callers),
    (r"(?:ASK )?(?:all )?(?:the )?(?:direct )?callees (?:of|for) N", Ask::Callees),
    (
        r"(?:what|(?:which|what|how many) (?:other )?(?:functions?|methods?|fns|functions and methods|functions or methods|functions/methods)) (?:does|do|did) N (?:directly |itself )*(?:call|invoke)",
        Ask::Callees,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:functions|methods|functions and methods|calls)(?: that are| which are)? (?:directly )?(?:called|made|invoked) (?:by|in|from|inside|within) N",
        Ask::Callees,
    ),
    (r"(?:ASK )?(?:all )?(?:the )?(?:functions|methods)(?: that)? N calls", Ask::Callees),
    (
        r"(?:is|was) N (?:ever |still |actually |currently )*(?:used|called|referenced|invoked|in use)(?: anywhere| at all| somewhere| by anything| by anyone)*",
        Ask::IsUsed,
    ),
    (
        r"(?:does|did) (?:anything|anyone|any code|anybody|something|any function) (?:still )?(?:use|call|reference) N",
        Ask::IsUsed,
    ),
    (r"are there (?:any )?(?:uses|usages|callers|references|calls) (?:of|to) N", Ask::IsUsed),
    (r"does N have (?:any )?(?:uses|usages|callers|references)", Ask::IsUsed),
    (
        r"(?:is|was) N (?:actually |really )?(?:unused|dead|dead code|not used|never used|never called|not called|unreferenced)(?: anywhere)?",
        Ask::IsUnused,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:items that use|users of|functions that use|functions using) N",
        Ask::Users,
    ),
    (r"(?:who|what|which items|which functions) uses? N", Ask::Users),
    (r"(?:where) (?:is|was) N used", Ask::Users),
    // Visibility and place.
    (
        r"(?:is|was) N (?:public|pub|exported|publicly visible|publicly accessible|publicly exported|part of the public (?:api|interface)|a public (?:item|function|method|struct|enum|trait|type|module|fn|constant|macro))",
        Ask::IsPublic,
    ),
    (r"(?:is|was) N (?:private|not public|internal)", Ask::IsPrivate),
    (
        r"is N (?:an? )?(?P<is>struct|enum|trait|union|function|method|module|macro|constant|static|type alias|async|unsafe|const)(?: fn| function| method)?",
        Ask::Is,
    ),
    (
        r"what (?:items? |names |symbols )?(?:does|did) N (?:publicly )?(?:export|re-export|expose)",
        Ask::Exports,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:exports|exported items|public items|public interface|public api) (?:of|in|from) N",
        Ask::Exports,
    ),
    (r"what is exported (?:by|from) N", Ask::Exports),
    (
        r"(?:where|in which file|in what file|which file|what file|in which source file|on which line|at which line|on what line) (?:is|was|can i find|do i find|does) N ?(?:defined|declared|implemented|located|live|found)?(?: in)?",
        Ask::Place,
    ),
    (
        r"(?:which|what) (?:source )?file (?:defines|declares|contains|has) (?:the definition of )?N",
        Ask::Place,
    ),
    // Lists of items.
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?(?:functions|fns)", Ask::Items(&[NodeKind::Function])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?structs", Ask::Items(&[NodeKind::Struct])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?enums", Ask::Items(&[NodeKind::Enum])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?traits", Ask::Items(&[NodeKind::Trait])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?constants", Ask::Items(&[NodeKind::Const])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?statics", Ask::Items(&[NodeKind::Static])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?type aliases", Ask::Items(&[NodeKind::TypeAlias])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?modules", Ask::Items(&[NodeKind::Module])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?macros", Ask::Items(&[NodeKind::Macro])),
];

/// What may come before a noun.
pub(super) const ASK: &str = "(?:what is|what are|what was|what were|what's|whats|which are|which|what|how many|list|find|show me|show|give me|give|name|get|tell me|enumerate|print|return|identify|search for|lookup|look up|provide|write down|report|display|state|count)(?: all)?(?: of)?(?: the)?(?: names of)?(?: the)?";
