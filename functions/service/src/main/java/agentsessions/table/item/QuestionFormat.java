package agentsessions.table.item;

import agentsessions.rule.Question;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import java.util.List;

/// The stored form of an agent's questions.
final class QuestionFormat {
  private static final ItemSchema<Question.Option> OPTIONS =
      new ItemSchema<>(QuestionFormat::option);
  private static final Attribute<String> VALUE =
      OPTIONS.part("value", AttributeFormat.TEXT, Question.Option::value);
  private static final Attribute<String> LABEL =
      OPTIONS.part("label", AttributeFormat.TEXT, Question.Option::label);
  private static final Attribute<String> DESCRIPTION =
      OPTIONS.part("description", AttributeFormat.TEXT, Question.Option::description);

  private static final ItemSchema<Question> SCHEMA = new ItemSchema<>(QuestionFormat::question);
  private static final Attribute<String> ID = SCHEMA.part("id", AttributeFormat.TEXT, Question::id);
  private static final Attribute<String> WORDS =
      SCHEMA.part("text", AttributeFormat.TEXT, Question::text);
  private static final Attribute<List<Question.Option>> OFFERED =
      SCHEMA.part("options", AttributeFormat.list(OPTIONS.format()), Question::options);
  private static final Attribute<Boolean> MULTIPLE = SCHEMA.flag("multiple", Question::multiple);
  private static final Attribute<Boolean> FREE_TEXT = SCHEMA.flag("free_text", Question::freeText);

  static final AttributeFormat<Question> QUESTION = SCHEMA.format();

  private static Question question(Item item) {
    return new Question(
        item.get(ID),
        item.get(WORDS),
        item.get(OFFERED),
        item.flag(MULTIPLE),
        item.flag(FREE_TEXT));
  }

  private static Question.Option option(Item item) {
    return new Question.Option(item.get(VALUE), item.get(LABEL), item.get(DESCRIPTION));
  }

  private QuestionFormat() {}
}
